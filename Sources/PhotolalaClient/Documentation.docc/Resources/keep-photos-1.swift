import Foundation
import PhotolalaAPI
import PhotolalaClient

/// Keeps a folder of photos safe under an account. Run it again, stop it at any moment: it goes on where it was.
///
///     keep-photos http://127.0.0.1:8080 bob ~/Pictures
@main
enum KeepPhotos {
    static func main() async throws {
        guard CommandLine.arguments.count == 4 else {
            print("usage: keep-photos SERVER NAME FOLDER")
            exit(64)
        }
        let (name, folder) = (CommandLine.arguments[2], URL(fileURLWithPath: CommandLine.arguments[3]))

        // One folder is one device: it holds the device's id and the sealed session.
        let home = ProcessInfo.processInfo.environment["HOME"] ?? "."
        let profile = try ProfileDirectory(URL(fileURLWithPath: "\(home)/.keep-photos"))
        let network = PhotolalaNetwork()
        let session = PhotolalaSession(
            server: try ServerAddress(CommandLine.arguments[1]), profile: profile,
            storage: try profile.fileSecretStorage(), network: network
        )

        await network.close()
    }
}
