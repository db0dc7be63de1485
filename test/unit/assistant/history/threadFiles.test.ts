import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { threadStoreContract } from '../../contracts/threadStoreContract';
import { aThreadFolder, filesIn } from './threadFolder';

threadStoreContract('ThreadFiles', async () => {
  const { folder, open } = await aThreadFolder();
  return {
    store: open(),
    another: () => open(),
    corrupt: async (id, record) => {
      const file = (await filesIn(folder)).find((name) => name.includes(`/${id}.`)) ?? '';
      await writeFile(path.join(folder, file), JSON.stringify(record));
    },
  };
});
