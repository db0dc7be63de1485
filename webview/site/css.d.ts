/** A style sheet as text, as the build hands it over. */
declare module '*.css' {
  const styles: string;
  export default styles;
}
