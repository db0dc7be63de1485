import { MemoryThreadStore } from '../../../fakes/memoryThreadStore';
import { threadStoreContract } from '../../contracts/threadStoreContract';

threadStoreContract('MemoryThreadStore', () => {
  const store = new MemoryThreadStore();
  return {
    store,
    another: () => new MemoryThreadStore(store),
    corrupt: (id, record) => void store.records.set(id, JSON.stringify(record)),
  };
});
