import type { Parcel } from "../api.js";
import { formatAge, formatWeight } from "../format.js";

export interface RowProps {
  parcel: Parcel;
  grams?: number;
  selected?: boolean;
}

const STATE_TEXT: Record<Parcel["state"], string> = {
  announced: "Announced",
  moving: "On its way",
  delivered: "Delivered",
};

export function ParcelRow({ parcel, grams, selected = false }: RowProps) {
  const className = selected ? "row row-selected" : "row";
  return (
    <li className={className} key={parcel.serial}>
      <span className="serial">{parcel.serial}</span>
      <span className="state">{STATE_TEXT[parcel.state]}</span>
      <span className="age">{formatAge(parcel.updatedAt)}</span>
      {grams !== undefined && <span className="weight">{formatWeight(grams)}</span>}
    </li>
  );
}

export function renderList(root: HTMLElement, parcels: Parcel[]): void {
  root.replaceChildren();
  for (const parcel of parcels) {
    const line = document.createElement("li");
    line.textContent = `${parcel.serial} ${STATE_TEXT[parcel.state]}`;
    root.append(line);
  }
}
