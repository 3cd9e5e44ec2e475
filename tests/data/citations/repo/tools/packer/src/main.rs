use std::env;
use std::fs;
use std::process::ExitCode;

const PAGE_WIDTH: usize = 4;

#[derive(Debug, Clone)]
struct Label {
    serial: String,
    grams: u32,
}

fn read_labels(path: &str) -> Result<Vec<Label>, String> {
    let text = fs::read_to_string(path).map_err(|e| format!("{path}: {e}"))?;
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(parse_row)
        .collect()
}

fn parse_row(line: &str) -> Result<Label, String> {
    let (serial, grams) = line
        .split_once(';')
        .ok_or_else(|| format!("no semicolon in {line:?}"))?;
    let grams = grams.trim().parse().map_err(|e| format!("weight: {e}"))?;
    Ok(Label { serial: serial.trim().to_string(), grams })
}

fn pack(mut labels: Vec<Label>) -> Vec<Vec<Label>> {
    labels.sort_by(|a, b| b.grams.cmp(&a.grams));
    labels.chunks(PAGE_WIDTH).map(|page| page.to_vec()).collect()
}

fn main() -> ExitCode {
    let Some(path) = env::args().nth(1) else {
        eprintln!("usage: packer LABELS");
        return ExitCode::from(2);
    };
    match read_labels(&path) {
        Ok(labels) => {
            for (number, page) in pack(labels).iter().enumerate() {
                println!("page {}: {} labels", number + 1, page.len());
            }
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
