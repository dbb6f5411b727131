import Foundation
import PhotolalaClient

/// The objects that a command uses.
struct CommandContext: Sendable {
    let session: PhotolalaSession
    let profile: ProfileDirectory
    let library: PhotolalaLibrary
    let local: PhotolalaLocalLibrary
    let preferences: PhotolalaPreferences
    let network: PhotolalaNetwork
    let progress: ProgressDisplay.Style

    /// Returns the library of the account that is signed in now, also if another one signs in later, with this user's
    /// cache of photos and thumbnails.
    func viewingLibrary() async throws -> PhotolalaLibrary {
        guard let user = try await session.signedInUserID() else {
            throw PhotolalaError(code: .notSignedIn, detail: "Not signed in on this device.")
        }
        return PhotolalaLibrary(
            session: session.limited(to: user), profile: profile, network: network,
            cache: try PhotoCache(folder: ViewingCache.folder()))
    }
}
