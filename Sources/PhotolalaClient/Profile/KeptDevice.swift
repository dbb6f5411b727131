import PhotoLibrary
import PhotolalaAPI
import Secrets

/// `device.json`: what a profile keeps of its device, with what tells a folder from its copies.
struct KeptDevice: Codable, Equatable, Sendable {
    var id: DeviceID
    var name: String
    var model: String?
    let platform: String
    /// The inode of the profile's folder. A copy, and a folder that came back from a backup, has another one. `nil` in
    /// files of older versions.
    var folder: UInt64?
    /// What marks this installation's changes in the catalog, where that is no longer the device's id.
    var tag: DeviceID?
    /// The id for the next sign-in, in a copied folder whose session is still the original's.
    var next: DeviceID?

    /// Which device the profile is now. The session decides where there is one: it may stand in the Keychain, which
    /// survives the folder. A copied folder gets a tag of its own at once and an id of its own with its next sign-in, so
    /// that two holders never write under one tag.
    /// - Parameters:
    ///   - kept: as it was last written.
    ///   - session: the device of the stored session.
    ///   - folder: the inode of the profile's folder now.
    static func current(
        _ kept: KeptDevice?, session: DeviceID?, folder: UInt64, name: String, platform: String, randomness: Randomness
    ) -> KeptDevice {
        func fresh() -> DeviceID { DeviceID(uuid: randomness.uuid()) }
        guard var device = kept, session != nil || device.folder == folder else {
            return KeptDevice(
                id: session ?? fresh(), name: name, platform: platform, folder: folder,
                tag: session.map { _ in fresh() })
        }
        if let known = device.folder, known != folder { (device.tag, device.next) = (fresh(), fresh()) }
        device.folder = folder
        guard let id = session ?? device.next, id != device.id else { return device }
        if id == device.next { (device.tag, device.next) = (nil, nil) } else { device.tag = fresh() }
        device.id = id
        return device
    }

    var description: DeviceDescription { DeviceDescription(id: id, name: name, model: model, platform: platform) }

    /// The device that the next sign-in names.
    var signingIn: DeviceDescription {
        DeviceDescription(id: next ?? id, name: name, model: model, platform: platform)
    }

    var catalogTag: DeviceTag { DeviceTag(deviceID: (tag ?? id).description) }
}
