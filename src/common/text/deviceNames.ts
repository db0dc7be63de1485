/**
 * Names that Windows reserves for devices, with any ending, and with spaces before it: `nul.tar.gz` and
 * `nul .txt` are the device `nul`, too.
 */
const deviceName =
  /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)\s*(?:\.|$)/i;

/** Returns whether Windows takes a file or folder of this name for a device. */
export function isDeviceName(name: string): boolean {
  return deviceName.test(name);
}
