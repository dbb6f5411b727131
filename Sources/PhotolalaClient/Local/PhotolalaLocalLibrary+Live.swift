import Foundation

extension PhotolalaLocalLibrary {
    /// The local library of a device.
    public init(profile: ProfileDirectory) {
        self.init(stateFolder: profile.libraryStateFolder, now: { Date() })
    }
}
