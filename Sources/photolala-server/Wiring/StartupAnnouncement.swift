import Foundation
import Logging
import Monitoring
import PhotolalaAPI
import ServiceWiring
import Synchronization

/// Prints the server's addresses once its listeners are up and, in `dev`, what that implies and how to continue.
final class StartupAnnouncement: Sendable {
    private let settings: Settings
    /// What a device needs in pairing mode.
    private let pairing: PairingCode?
    private let logger: Logger
    private let pendingListeners: Mutex<Int>

    init(settings: Settings, pairing: PairingCode?, logger: Logger) {
        self.settings = settings
        self.pairing = pairing
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
        let text = pairing.map(pairingText) ?? loopbackText
        // Not `print`: a pipe would buffer the text until the server ends.
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }

    /// The command line beside this program.
    private static var client: String {
        let folder = CommandLine.arguments.first.flatMap { path in path.lastIndex(of: "/").map { path[...$0] } } ?? ""
        return "\(folder)photolala"
    }

    private var loopbackText: String {
        """

        Photolala is running in dev, on loopback only. Anyone can sign in with the development provider.
        Do not use dev for real photos. README.md shows how to start a real environment.

          API   \(settings.publicURL)  (open it in a browser for the pages)
          S3    \(settings.store.endpoint)  (bucket \(settings.store.bucketName))
          data  \(settings.store.location)

        Next, in another terminal:

          \(Self.client) signup --provider apple --dev-user bob --server \(settings.publicURL)

        """
    }

    private func pairingText(_ code: PairingCode) -> String {
        """

        Photolala is running in dev, in pairing mode.

        WARNING: every device in the network of \(settings.listen.host) can reach this server. With the code below, a
        device can sign in as any user and read, change and delete all photos of this server. Show the code only to
        your own devices, in a network that you trust, and do not use dev for real photos.

          API   \(settings.publicURL)  (answers only paired devices)
          S3    \(settings.store.endpoint)  (bucket \(settings.store.bucketName))
          data  \(settings.store.location)

        Scan the code with the app, or copy the line below it. It is valid until this server ends.

        \(QRCode(Array(code.description.utf8))?.terminalText ?? "")

        \(code)

        """
    }
}
