import Foundation
import PhotolalaClient

/// Backs up a folder of photos to an account. It can be stopped at any time; the next run resumes.
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

        // One folder is one device: it contains the device's ID and the sealed session.
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
