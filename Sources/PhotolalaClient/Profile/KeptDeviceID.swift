import Foundation
import PhotolalaAPI

/// The device's ID in the storage of the secrets, if that outlives the profile's folder.
enum KeptDeviceID: Equatable, Sendable {
    /// The storage is lost and copied with the folder.
    case unsupported
    /// A folder that has an ID nevertheless was restored from the backup of another device.
    case missing
    case kept(DeviceID)

    private static let name = "device"

    /// Reads the ID. A value that is not one is missing.
    init(in storage: (any SecretStorage)?) throws(SecretStorageError) {
        guard let storage, storage.outlivesProfile else {
            self = .unsupported
            return
        }
        let stored = try storage.load(Self.name).map { String(decoding: $0, as: UTF8.self) }
        self = stored.flatMap(DeviceID.init).map { .kept($0) } ?? .missing
    }

    var id: DeviceID? { if case .kept(let id) = self { id } else { nil } }

    /// Returns whether a folder that has this ID may use it.
    func permits(_ id: DeviceID) -> Bool { self == .unsupported || self == .kept(id) }

    static func save(_ id: DeviceID, in storage: any SecretStorage) throws(SecretStorageError) {
        try storage.save(Data(id.description.utf8), as: name)
    }

    static func delete(in storage: any SecretStorage) throws(SecretStorageError) {
        if storage.outlivesProfile { try storage.delete(name) }
    }
}
