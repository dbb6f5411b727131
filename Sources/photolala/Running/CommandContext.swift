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

    /// Returns the library with this user's cache of photos and thumbnails.
    func viewingLibrary() throws -> PhotolalaLibrary {
        PhotolalaLibrary(
            session: session, profile: profile, network: network, cache: try PhotoCache(folder: ViewingCache.folder()))
    }
}
