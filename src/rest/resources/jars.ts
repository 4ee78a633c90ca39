import { basename } from 'node:path';
import { appendLog } from '../../simulation/logs/index.js';
import { uuid } from '../../simulation/random.js';
import { defineEndpoint, type Endpoint, type EndpointContext, type EndpointHandler } from '../endpoint.js';
import { RestHandlerException } from '../errors.js';
import { JarStoreFullError } from '../jars/jar-store.js';
import { whereSubmitting } from '../route-absent.js';
import { shownUploadDirectory } from '../views/cluster-configuration.js';
import { folderNotDeleted, isFolderName } from '../views/folder-as-file.js';

const UPLOAD_LOGGER = 'org.apache.flink.runtime.webmonitor.handlers.JarUploadHandler';

/** A new id for an uploaded file: `<uuid>_<name>`. */
function newJarId({ state, services }: EndpointContext, name: string): string {
  for (;;) {
    const id = `${uuid(state.model.seed, 'jar', state.idSequence++)}_${name}`;
    if (!services.jars.find(id)) return id;
  }
}

const upload: EndpointHandler = async (request, context) => {
  const { state, services } = context;
  const [file] = request.files;
  if (request.files.length !== 1 || !file) throw new RestHandlerException(400, `Exactly 1 file must be sent, received ${request.files.length}.`);
  const name = basename(file.fileName);
  if (!name.endsWith('.jar')) throw new RestHandlerException(400, 'Only Jar files are allowed.');
  const id = newJarId(context, name);
  const target = `${shownUploadDirectory(state)}/${id}`;
  try {
    await services.jars.add(file.storedAt, name, id, Math.floor(state.nowMs));
  } catch (error) {
    const reason = error instanceof JarStoreFullError ? error.message : ((error as NodeJS.ErrnoException).code ?? 'I/O error');
    appendLog(state.jobManager.log, state.nowMs, 'ERROR', UPLOAD_LOGGER, `Uploaded jar ${name} was not kept: ${reason}.`);
    throw new RestHandlerException(500, `Could not move uploaded jar file [${name}] to [${target}].`);
  }
  return { filename: target, status: 'success' };
};

/** Jars can be switched off altogether. */

export const endpoints: Endpoint[] = [
  defineEndpoint({ method: 'POST', url: '/jars/upload', handle: whereSubmitting(upload) }),
  defineEndpoint({
    method: 'GET',
    url: '/jars',
    handle: whereSubmitting((_request, { services }) => ({
      address: services.address(),
      files: services.jars.list().map((jar) => ({
        id: jar.id,
        name: jar.name,
        uploaded: jar.uploadedMs,
        entry: jar.entryClasses.map((name) => ({ name, description: null })),
      })),
    })),
  }),
  defineEndpoint({
    method: 'DELETE',
    url: '/jars/:jarid',
    handle: whereSubmitting(async (request, { state, services }) => {
      const id = request.params['jarid']!;
      if (isFolderName(id)) throw folderNotDeleted(shownUploadDirectory(state), id);
      if (!(await services.jars.remove(id))) throw new RestHandlerException(400, `File ${id} does not exist in ${shownUploadDirectory(state)}.`);
      return {};
    }),
  }),
];
