import Foundation
import PhotolalaClient

/// What a command works with.
struct CommandContext: Sendable {
    let session: PhotolalaSession
    let profile: ProfileDirectory
    let network: PhotolalaNetwork
    let now: @Sendable () -> Date
}
