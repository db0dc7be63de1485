// @ts-check
/** Lint rule for object literals: they list their fields, instead of spreading other literals. */

/** @typedef {import('./roomRules.mjs').Rule} Rule */

/** @param {any} node @returns {any} the expression inside `as`, `satisfies` and `!` */
function bare(node) {
  return 'expression' in node && /^TS/.test(node.type) ? bare(node.expression) : node;
}

/** @param {any} node @returns {boolean} whether it is an object literal */
const isLiteral = (node) => node.type === 'ObjectExpression';

/** @param {any} node @returns {boolean} whether it is `{}` */
const isEmpty = (node) => isLiteral(node) && node.properties.length === 0;

/** @type {Rule} */
const listedFields = {
  create(context) {
    return {
      ObjectExpression: ({ properties }) => {
        for (const property of properties) {
          if (property.type !== 'SpreadElement') continue;
          const spread = bare(property.argument);
          if (isLiteral(spread)) {
            context.report({ node: property, message: 'List the fields without a spread.' });
          }
          if (spread.type !== 'ConditionalExpression') continue;
          const values = [bare(spread.consequent), bare(spread.alternate)];
          // A value that has its fields elsewhere can't be listed here.
          if (!values.every(isLiteral) || !values.some(isEmpty)) continue;
          const message = 'List the field, and let its value be undefined.';
          context.report({ node: property, message });
        }
      },
    };
  },
};

export default { meta: { name: 'spreads' }, rules: { 'listed-fields': listedFields } };
