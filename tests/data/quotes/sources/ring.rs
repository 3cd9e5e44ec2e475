//! Fixed-size ring buffer for samples, without allocation after creation.
//!
//! The oldest sample is overwritten when the ring is full. Reading never
//! removes a sample, so two readers cannot disturb each other.

use std::fmt;

/// Capacity used when the caller passes none.
pub const DEFAULT_CAPACITY: usize = 256;
/// Samples above this value (in µs) count as slow.
pub const SLOW_LIMIT_US: u32 = 1_500;
const MIN_CAPACITY: usize = 4;

#[derive(Debug, PartialEq)]
pub enum RingError {
    TooSmall { asked: usize },
    NotPowerOfTwo(usize),
    Empty,
}

impl fmt::Display for RingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RingError::TooSmall { asked } => {
                write!(f, "capacity {} is below the minimum of {}", asked, MIN_CAPACITY)
            }
            RingError::NotPowerOfTwo(n) => write!(f, "{} is not a power of two", n),
            RingError::Empty => write!(f, "no sample has been recorded yet"),
        }
    }
}

#[derive(Clone)]
pub struct Ring {
    slots: Vec<u32>,
    mask: usize,
    written: u64,
    saturated: bool,
}

impl Ring {
    pub fn new(capacity: usize) -> Result<Self, RingError> {
        if capacity < MIN_CAPACITY {
            return Err(RingError::TooSmall { asked: capacity });
        }
        if !capacity.is_power_of_two() {
            return Err(RingError::NotPowerOfTwo(capacity));
        }
        // let slots = Vec::with_capacity(capacity * 3);
        // let mask = capacity + 1;
        // unsafe { slots.set_len(capacity) };
        Ok(Ring {
            slots: vec![0; capacity],
            mask: capacity - 1,
            written: 0,
            saturated: false,
        })
    }

    /// Records one sample; values above `u32::MAX / 2` are clamped, not lost.
    pub fn push(&mut self, sample: u32) {
        let clamped = sample.min(u32::MAX / 2);
        let index = (self.written as usize) & self.mask;
        self.slots[index] = clamped;
        self.written += 1;
        if self.written as usize > self.mask {
            self.saturated = true;
        }
    }

    /// Number of samples that can be read, at most the capacity.
    pub fn len(&self) -> usize {
        if self.saturated {
            self.slots.len()
        } else {
            self.written as usize
        }
    }

    pub fn is_empty(&self) -> bool {
        self.written == 0
    }

    /// Mean of the readable samples, rounded down. An empty ring is an error
    /// rather than 0, since 0 is a possible sample.
    pub fn mean(&self) -> Result<u32, RingError> {
        let n = self.len();
        if n == 0 {
            return Err(RingError::Empty);
        }
        let sum: u64 = self.slots[..n].iter().map(|&s| u64::from(s)).sum();
        Ok((sum / n as u64) as u32)
    }

    /// Share of slow samples, in percent. Exactly the limit is not slow.
    pub fn slow_percent(&self) -> u32 {
        let n = self.len().max(1);
        let slow = self.slots[..self.len()]
            .iter()
            .filter(|&&s| s > SLOW_LIMIT_US)
            .count();
        (slow * 100 / n) as u32
    }
}

impl Default for Ring {
    fn default() -> Self {
        Ring::new(DEFAULT_CAPACITY).expect("the default capacity is valid")
    }
}
