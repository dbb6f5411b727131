import Foundation
import Logging

/// Says where the server is and, in `dev`, what that means and what to type next.
struct Announcement {
    let settings: Settings
    let logger: Logger

    func serverIsRunning() {
        logger.notice(
            "photolala-server is running",
            metadata: [
                "environment": "\(settings.environment.rawValue)", "listen": "\(settings.listen)",
                "s3": "\(settings.storage.listen)",
            ]
        )
        guard settings.environment == .dev else { return }
        let text = """

            Photolala is running in dev, on loopback only: the development provider signs anybody in.
            Never use dev for real photos; README.md shows how to start a real environment.

              API   \(settings.publicURL)
              S3    \(settings.storage.endpoint)  (bucket \(settings.storage.bucket))
              data  \(settings.data)

            Next, in another terminal:

              .build/debug/photolala signup --provider apple --dev-user bob --server \(settings.publicURL)

            """
        // Not print: a pipe would hold the text back until the server ends.
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}
