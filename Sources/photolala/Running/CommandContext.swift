import Foundation
import PhotolalaClient

/// The objects that a command uses.
struct CommandContext: Sendable {
    let session: PhotolalaSession
    let library: PhotolalaLibrary
    let local: PhotolalaLocalLibrary
    let preferences: PhotolalaPreferences
    let network: PhotolalaNetwork
    let progress: ProgressDisplay.Style
}
