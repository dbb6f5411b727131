import Foundation
import PhotoLibrary

extension PhotolalaLocalLibrary {
    /// The local library of a device. Its time zone is the one of photos that do not tell theirs.
    public init(profile: ProfileDirectory) {
        self.init(stateFolder: profile.libraryStateFolder, zone: CaptureZone(.current), now: { Date() })
    }
}
