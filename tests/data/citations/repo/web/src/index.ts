import { fetchParcel, ApiError } from "./api.js";
import { renderList } from "./components/ParcelList.js";

const POLL_MS = 15000;

interface Watch {
  label: string;
  timer: number | undefined;
}

const watches = new Map<string, Watch>();

export async function refresh(label: string): Promise<void> {
  const root = document.getElementById("parcels");
  if (!root) {
    throw new Error("page has no parcel list");
  }
  try {
    const parcel = await fetchParcel(label);
    renderList(root, [parcel]);
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) {
      root.textContent = "Unknown parcel";
      return;
    }
    throw error;
  }
}

export function startWatching(label: string): void {
  stopWatching(label);
  const timer = window.setInterval(() => void refresh(label), POLL_MS);
  watches.set(label, { label, timer });
}

export function stopWatching(label: string): void {
  const watch = watches.get(label);
  if (watch?.timer !== undefined) {
    window.clearInterval(watch.timer);
  }
  watches.delete(label);
}
