import Foundation
import PhotoLibrary

extension PhotolalaLocalLibrary {
    /// The local library of a device. Its time zone is the one of photos that do not tell theirs, unless it is UTC.
    public init(profile: ProfileDirectory) {
        self.init(stateFolder: profile.libraryStateFolder, zone: CaptureZone(ofDevice: .current), now: { Date() })
    }
}
