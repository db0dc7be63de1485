import type { AnyNode } from 'acorn';

/** A text that a script surely works with; `isWhole` is false where only its start is known. */
export interface KnownText {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Constants may be made of constants; deeper than this nobody writes an address. */
const MAX_DEPTH = 20;

/** The texts of one script: its literals, and its constants that hold nothing else. */
export class ScriptTexts {
  readonly #constants = new Map<string, AnyNode>();
  readonly #timesBound = new Map<string, number>();

  /** Takes note of one node of the script's walk; `type` as the walk names it. */
  see(node: AnyNode, type: string): void {
    if (type === 'VariablePattern' && node.type === 'Identifier') {
      this.#timesBound.set(node.name, (this.#timesBound.get(node.name) ?? 0) + 1);
    }
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init) {
      this.#constants.set(node.id.name, node.init);
    }
  }

  /** Undefined if not even a start is known. Asked after the whole script was seen. */
  of(node: AnyNode, depth = 0): KnownText | undefined {
    if (depth > MAX_DEPTH) return undefined;
    switch (node.type) {
      case 'Literal':
        return typeof node.value === 'string' ? { text: node.value, isWhole: true } : undefined;
      case 'TemplateLiteral':
        return this.#joined(
          node.quasis.flatMap((quasi, position) => {
            const expression = node.expressions[position];
            return expression ? [quasi, expression] : [quasi];
          }),
          depth,
        );
      case 'TemplateElement':
        return { text: node.value.cooked ?? '', isWhole: true };
      case 'BinaryExpression':
        return node.operator === '+' ? this.#joined([node.left, node.right], depth) : undefined;
      case 'Identifier':
        return this.#constant(node.name, depth);
      case 'NewExpression': {
        // new URL('https://host/x') stands for its address wherever one is asked for.
        const [address, base] = node.arguments;
        const isUrl = node.callee.type === 'Identifier' && node.callee.name === 'URL';
        return isUrl && address && !base ? this.of(address, depth + 1) : undefined;
      }
      default:
        return undefined;
    }
  }

  /** Only a name that is bound once in the whole file, and never again set, is surely this one. */
  #constant(name: string, depth: number): KnownText | undefined {
    const value = this.#timesBound.get(name) === 1 ? this.#constants.get(name) : undefined;
    return value && this.of(value, depth + 1);
  }

  #joined(pieces: readonly AnyNode[], depth: number): KnownText | undefined {
    let text = '';
    for (const piece of pieces) {
      const known = this.of(piece, depth + 1);
      if (known === undefined) return text === '' ? undefined : { text, isWhole: false };
      text += known.text;
      if (!known.isWhole) return { text, isWhole: false };
    }
    return { text, isWhole: true };
  }
}
