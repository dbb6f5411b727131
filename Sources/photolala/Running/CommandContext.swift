import Foundation
import PhotolalaClient

/// What a command works with.
struct CommandContext: Sendable {
    let session: PhotolalaSession
    let library: PhotolalaLibrary
    let local: PhotolalaLocalLibrary
    let preferences: PhotolalaPreferences
    let network: PhotolalaNetwork
}
