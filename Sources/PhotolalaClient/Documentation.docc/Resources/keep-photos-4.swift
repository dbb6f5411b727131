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

        do {
            try await enter(session, as: name)
            try await keep(folder, session, profile, network)
        } catch let error as PhotolalaError where error.code == .sessionEnded {
            print("You were signed out. Run this command again to sign in.")
        } catch let error as PhotolalaError {
            print(error.detail)
        }
        await network.close()
    }

    /// Signs in, or signs up if there is no account.
    private static func enter(_ session: PhotolalaSession, as name: String) async throws {
        if try await session.signedInUserID() != nil { return }
        let proof = try await DevelopmentProvider(session.server).proof(of: name, for: session)
        do throws(PhotolalaError) {
            let user = try await session.signIn(proof)
            print("Signed in as \(user.serviceUserID).")
        } catch {
            // The pending identity is stored, so the user does not have to authenticate with the provider again.
            guard error.code == .noAccountFound, let pending = error.pendingIdentity else { throw error }
            let user = try await session.signUp(.pending(pending))
            print("Created account \(user.serviceUserID).")
        }
    }

    private static func keep(
        _ folder: URL, _ session: PhotolalaSession, _ profile: ProfileDirectory, _ network: PhotolalaNetwork
    ) async throws {
        let library = PhotolalaLibrary(session: session, profile: profile, network: network)

        let backup = library.backUp(folder)
        for await progress in backup where progress.totalFiles > 0 {
            print("Backed up \(progress.finishedFiles) of \(progress.totalFiles) files")
        }
        let report = try await backup.report
        for failure in report.failures { print("error: \(failure.path): \(failure.reason)") }
        if let stopped = report.stopped { print("error: The backup stopped: \(stopped.detail)") }

        var newest = PhotoFilter()
        newest.kinds = [.photo]
        for photo in try await library.photos(where: newest).ordered(by: .date, reversed: true).prefix(3) {
            print(photo.path, photo.taken ?? photo.modified)
        }
    }
}
