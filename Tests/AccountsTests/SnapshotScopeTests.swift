import Foundation
import ObjectStorage
import PhotolalaAPI
import Testing

@testable import AccountMaintenance

/// The objects in a snapshot.
@Suite struct SnapshotScopeTests {
    @Test("a snapshot contains an account's devices and omits the cached device list")
    func deviceList() throws {
        let user = UserID(uuid: UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16)))
        let device = DeviceID(uuid: user.uuid)
        #expect(SnapshotScope.contains(ObjectKey(known: StorageLayout.device(user, device))))
        #expect(SnapshotScope.contains(ObjectKey(known: StorageLayout.accountDocument(user))))
        #expect(!SnapshotScope.contains(ObjectKey(known: StorageLayout.deviceList(user))))
    }
}
