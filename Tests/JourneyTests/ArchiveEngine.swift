import Foundation
import PhotolalaTesting

/// moto, an S3 engine with archive classes: objects that are put as `DEEP_ARCHIVE` cannot be read before RestoreObject,
/// whose restorations a test completes. moto verifies no signatures and locks nothing; this program rejects requests that
/// were signed too long ago, as servers require, and handles one request at a time, so that conditions hold.
struct ArchiveEngine {
    let endpoint: String
    private let process: ChildProcess
    private let folder: URL

    static let isInstalled: Bool = {
        guard let program = PythonClient.program else { return false }
        let mark = program.deletingLastPathComponent().deletingLastPathComponent().appending(path: "moto")
        return FileManager.default.fileExists(atPath: mark.path)
    }()

    /// Starts the engine with an empty bucket and waits until it listens.
    init(in folder: URL) async throws {
        let port = try freePort()
        endpoint = "http://127.0.0.1:\(port)"
        self.folder = folder
        let ready = folder.appendingPathComponent("ready").path
        process = try PythonClient.start(
            Self.script, ["PORT": "\(port)", "BUCKET": Self.bucket, "FOLDER": folder.path], in: folder)
        try await waitUntil("moto listens") { FileManager.default.fileExists(atPath: ready) }
    }

    private static let bucket = "photolala-test"
    private static let keys = ["AWS_ACCESS_KEY_ID": "AKIDSERVICE", "AWS_SECRET_ACCESS_KEY": "secret"]

    /// The settings of a server on this engine.
    var serverVariables: [String: String] {
        [
            "PHOTOLALA_STORE": "s3", "PHOTOLALA_S3_ENDPOINT": endpoint, "PHOTOLALA_S3_BUCKET": Self.bucket,
            "PHOTOLALA_S3_ACCESS_KEY_ID": "AKIDSERVICE", "PHOTOLALA_S3_SECRET_ACCESS_KEY": "secret",
            "PHOTOLALA_STS_ROLE_ARN": "arn:aws:iam::123456789012:role/photolala-user",
            "PHOTOLALA_KEYS_MASTER": "k1:\(Data(repeating: 7, count: 32).base64EncodedString())",
        ]
    }

    /// The file whose existence completes all restorations.
    var completion: URL { folder.appendingPathComponent("back") }

    /// Puts all photos again as `DEEP_ARCHIVE`, as a lifecycle rule would, and returns their number.
    func archivePhotos() async throws -> Int? {
        let script = """
            import boto3, os
            s3 = boto3.client('s3', endpoint_url=os.environ['ENDPOINT'], region_name='us-east-1')
            bucket = os.environ['BUCKET']
            photos = s3.list_objects_v2(Bucket=bucket, Prefix='photos/')['Contents']
            for photo in photos:
                body = s3.get_object(Bucket=bucket, Key=photo['Key'])['Body'].read()
                s3.put_object(Bucket=bucket, Key=photo['Key'], Body=body, StorageClass='DEEP_ARCHIVE')
            print(len(photos))
            """
        let run = try await PythonClient.run(
            script, ["ENDPOINT": endpoint, "BUCKET": Self.bucket].merging(Self.keys) { own, _ in own }, in: folder)
        return Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// The bodies of all RestoreObject requests.
    var requests: [String] {
        let log = try? String(contentsOf: folder.appendingPathComponent("restores.log"), encoding: .utf8)
        return log?.split(separator: "\n").map(String.init) ?? []
    }

    func stop() { process.kill() }

    private static let script = """
        import datetime, io, os, pathlib, threading
        from moto.moto_api import state_manager
        from moto.s3.models import s3_backends
        from moto.server import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server
        folder, lock = pathlib.Path(os.environ['FOLDER']), threading.Lock()
        moto = DomainDispatcherApplication(create_backend_app)
        s3 = s3_backends['123456789012']['aws']
        s3.create_bucket(os.environ['BUCKET'], 'us-east-1')
        # Restorations change their state only below.
        state_manager.set_transition('s3::keyrestore', {'progression': 'manual', 'times': 1 << 40})

        def move(old, new):
            for key in s3.get_bucket(os.environ['BUCKET']).keys.values():
                if key._expiry and key._status == old: key._status = new

        def app(environ, start):
            signed = environ.get('HTTP_X_AMZ_DATE')
            now = datetime.datetime.now(datetime.timezone.utc)
            if signed and abs((now - datetime.datetime.strptime(signed + '+0000', '%Y%m%dT%H%M%SZ%z')).total_seconds()) > 900:
                start('403 Forbidden', [('Content-Type', 'application/xml')])
                return [b'<Error><Code>RequestTimeTooSkewed</Code></Error>']
            with lock:
                restores = environ['QUERY_STRING'].startswith('restore')
                if restores:
                    body = environ['wsgi.input'].read(int(environ['CONTENT_LENGTH']))
                    environ['wsgi.input'] = io.BytesIO(body)
                    with open(folder / 'restores.log', 'ab') as log: log.write(body + b'\\n')
                if (folder / 'back').exists(): move('IN_PROGRESS', 'RESTORED')
                answer = list(moto(environ, start))
                if restores: move(None, 'IN_PROGRESS')
                return answer

        server = make_server('127.0.0.1', int(os.environ['PORT']), app, threaded=True)
        (folder / 'ready').touch()
        server.serve_forever()
        """
}
