import Foundation
import Logging
import Monitoring
import PhotolalaAPI
import ServiceWiring
import Synchronization

/// Prints the server's addresses once its listeners are up and, in `dev`, what that implies and how to continue.
final class StartupAnnouncement: Sendable {
    private let settings: Settings
    private let logger: Logger
    private let pendingListeners: Mutex<Int>

    init(settings: Settings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        pendingListeners = Mutex(
            1 + (settings.store.folder == nil ? 0 : 1) + (settings.operatorListen == nil ? 0 : 1))
    }

    func listenerIsRunning() {
        let isLast = pendingListeners.withLock { missing in
            missing -= 1
            return missing == 0
        }
        if isLast { announce() }
    }

    private func announce() {
        var metadata: Logger.Metadata = [
            "version": "\(PhotolalaVersion.current)",
            "environment": "\(settings.environment.rawValue)", "listen": "\(settings.listen)",
            "s3": "\(settings.store.folder.map { "\($0.listen)" } ?? settings.store.endpoint)",
        ]
        if let address = settings.operatorListen { metadata["operator"] = "\(address)" }
        logger.notice(.serverRunning, "photolala-server is running", metadata: metadata)
        guard settings.environment == .dev else { return }
        let text = """

            Photolala is running in dev, on loopback only. Anyone can sign in with the development provider.
            Do not use dev for real photos. README.md shows how to start a real environment.

              API   \(settings.publicURL)  (open it in a browser for the pages)
              S3    \(settings.store.endpoint)  (bucket \(settings.store.bucketName))
              data  \(settings.store.location)

            Next, in another terminal:

              .build/debug/photolala signup --provider apple --dev-user bob --server \(settings.publicURL)

            """
        // Not `print`: a pipe would buffer the text until the server ends.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
