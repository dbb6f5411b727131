import PhotoCatalog
import PhotolalaAPI
import Secrets

/// `device.json`: the stored device of a profile, with the data that distinguishes a folder from its copies.
struct StoredDevice: Codable, Equatable, Sendable {
    var id: DeviceID
    var name: String
    /// The hardware model, for example `iPhone17,1`.
    var model: String?
    let platform: String
    /// The inode of the profile's folder. It changes if the folder is copied or restored from a backup. `nil` in files
    /// of older versions.
    var folder: UInt64?
    /// The tag of this installation's changes in the catalog, if it differs from the device's ID.
    var tag: DeviceID?
    /// The ID for the next sign-in, in a copied folder whose session still belongs to the original.
    var next: DeviceID?

    /// Returns the current device of the profile.
    ///
    /// The session takes precedence, because it may be stored in the Keychain, which outlives the folder. A copied
    /// folder receives its own tag immediately and its own ID with its next sign-in, so that two installations never
    /// write under the same tag.
    /// - Parameters:
    ///   - stored: The stored device.
    ///   - session: The device of the stored session.
    ///   - kept: The ID in a storage that outlives the folder; it takes precedence over the folder.
    ///   - folder: The current inode of the profile's folder.
    static func current(
        _ stored: StoredDevice?, session: DeviceID?, kept: KeptDeviceID, folder: UInt64, name: String, model: String?,
        platform: String, randomness: Randomness
    ) -> StoredDevice {
        func makeID() -> DeviceID { DeviceID(uuid: randomness.uuid()) }
        let hardware = session ?? kept.id
        let isOwnFolder = stored.map { $0.folder == folder } ?? false
        guard var device = stored, session != nil || isOwnFolder && kept.permits(device.id) else {
            return StoredDevice(
                id: hardware ?? makeID(), name: name, model: model, platform: platform, folder: folder,
                tag: hardware.map { _ in makeID() })
        }
        if let known = device.folder, known != folder {
            device.tag = makeID()
            // The ID belongs to the hardware there, and to the folder elsewhere.
            device.next = kept == .unsupported ? makeID() : nil
        }
        device.folder = folder
        device.model = model
        guard let id = session ?? device.next, id != device.id else { return device }
        if id == device.next { (device.tag, device.next) = (nil, nil) } else { device.tag = makeID() }
        device.id = id
        return device
    }

    var description: DeviceDescription { DeviceDescription(id: id, name: name, model: model, platform: platform) }

    /// The device that the next sign-in uses.
    var signInDescription: DeviceDescription {
        DeviceDescription(id: next ?? id, name: name, model: model, platform: platform)
    }

    var catalogTag: DeviceTag { DeviceTag(deviceID: (tag ?? id).description) }
}
