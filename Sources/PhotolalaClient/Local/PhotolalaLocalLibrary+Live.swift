import Foundation
import PhotoSync

extension PhotolalaLocalLibrary {
    /// Creates the local library of a device. Photos without a time zone use the device's, unless that is UTC.
    public init(profile: ProfileDirectory) {
        self.init(stateFolder: profile.libraryStateFolder, zone: CaptureZone(ofDevice: .current), now: { Date() })
    }
}
