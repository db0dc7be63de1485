// @ts-check
/** Lint rule for object literals: they list their fields, instead of spreading other literals. */

/** @typedef {import('./roomRules.mjs').Rule} Rule */

/** @param {any} node @returns {any} the expression inside `as`, `satisfies` and `!` */
function bare(node) {
  return 'expression' in node && /^TS/.test(node.type) ? bare(node.expression) : node;
}

/** @param {any} node @returns {boolean} whether it is `{}` */
const isEmpty = (node) => node.type === 'ObjectExpression' && node.properties.length === 0;

/** @type {Rule} */
const listedFields = {
  create(context) {
    return {
      ObjectExpression: ({ properties }) => {
        for (const property of properties) {
          if (property.type !== 'SpreadElement') continue;
          const spread = bare(property.argument);
          if (spread.type === 'ObjectExpression') {
            context.report({ node: property, message: 'List the fields without a spread.' });
          } else if (
            spread.type === 'ConditionalExpression' &&
            [spread.consequent, spread.alternate].some((each) => isEmpty(bare(each)))
          ) {
            const message = 'List the field, and let its value be undefined.';
            context.report({ node: property, message });
          }
        }
      },
    };
  },
};

export default { meta: { name: 'spreads' }, rules: { 'listed-fields': listedFields } };
