/**
 * The sizes of a list's items and their sums: a change, a sum and a search each cost the logarithm
 * of the list's length (a Fenwick tree).
 */
export class SizeIndex {
  #sizes: number[] = [];
  /** `#tree[i]` is the sum of the `i & -i` sizes that end with item `i - 1`. */
  #tree: number[] = [0];

  get count(): number {
    return this.#sizes.length;
  }

  get total(): number {
    return this.before(this.count);
  }

  /** Takes new sizes for all items; their number may be another. */
  reset(sizes: readonly number[]): void {
    this.#sizes = [...sizes];
    const tree = [0, ...sizes];
    for (let node = 1; node < tree.length; node++) {
      const parent = node + (node & -node);
      if (parent < tree.length) tree[parent] = (tree[parent] ?? 0) + (tree[node] ?? 0);
    }
    this.#tree = tree;
  }

  at(index: number): number {
    return this.#sizes[index] ?? 0;
  }

  set(index: number, size: number): void {
    const change = size - this.at(index);
    if (change === 0 || index >= this.count) return;
    this.#sizes[index] = size;
    for (let node = index + 1; node <= this.count; node += node & -node) {
      this.#tree[node] = (this.#tree[node] ?? 0) + change;
    }
  }

  /** The sum of the sizes before the item, which is where it begins. */
  before(index: number): number {
    let sum = 0;
    for (let node = Math.min(index, this.count); node > 0; node -= node & -node) {
      sum += this.#tree[node] ?? 0;
    }
    return sum;
  }

  /** The item that holds the offset: the first for one before the list, the last for one behind. */
  indexAt(offset: number): number {
    let node = 0;
    let left = offset;
    let step = 1 << Math.floor(Math.log2(Math.max(1, this.count)));
    for (; step > 0; step >>= 1) {
      const next = node + step;
      const size = this.#tree[next];
      if (next > this.count || size === undefined || size > left) continue;
      node = next;
      left -= size;
    }
    return Math.max(0, Math.min(node, this.count - 1));
  }
}
