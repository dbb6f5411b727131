import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@testable import photolala

/// The output about an account's storage.
@Suite struct StorageStringsTests {
    @Test(
        arguments: [
            (79, nil), (80, "Storage 80% full: 80 B of 100 B used."),
            (95, "Storage almost full: 95 B of 100 B used. To free space, delete photos permanently ("),
            (100, "Storage full: 100 B of 100 B used. To free space, delete photos permanently ("),
        ] as [(Int64, String?)])
    func `storage warnings begin at 80 percent and contain advice from 95 percent`(used: Int64, words: String?) {
        let warning = StorageStrings.warning(StorageFullness(used: used, of: 100), used: used, limit: 100)
        guard let words else {
            #expect(warning == nil)
            return
        }
        #expect(warning?.hasPrefix(words) == true, "\(warning ?? "")")
    }

    @Test func `files beyond the quota are reported with advice and the time of the count`() throws {
        let standing = try WireJSON.decoder().decode(
            StorageUsage.self, from: Data(#"{"used":70,"limit":100,"countedAt":"2026-11-23T13:40:00Z"}"#.utf8))
        #expect(StorageStrings.warning(standing, withoutRoom: 0) == nil)
        let words = try #require(StorageStrings.warning(standing, withoutRoom: 2))
        #expect(
            words.hasPrefix(
                "2 files not uploaded, quota exceeded: 70 B of 100 B used. To free space, delete photos permanently ("))
        #expect(words.contains("Usage as of \(DateText.minute(try #require(standing.countedAt)))"))
        #expect(StorageStrings.warning(nil, withoutRoom: 2) == nil)
    }

    @Test func `whoami shows the usage by kind`() {
        func user(_ used: Int64) -> WhoAmIResult {
            WhoAmIResult(
                user: User(
                    serviceUserID: UserID(uuid: UUID()), primaryProvider: .apple, linkedProviders: [], displayName: nil,
                    createdAt: Date(), subscription: Subscription(tier: .basic, storageLimit: 1000), storageUsed: used,
                    storageCountedAt: Date()),
                usage: Usage(
                    storageUsed: used, storageCountedAt: Date(), storageLimit: 1000, access: .readWrite,
                    byKind: UsageByKind(
                        photos: StoredObjects(bytes: used - 100, objects: 3),
                        thumbnails: StoredObjects(bytes: 30, objects: 3),
                        previews: StoredObjects(bytes: 60, objects: 2),
                        catalogs: StoredObjects(bytes: 10, objects: 1), data: StoredObjects(bytes: 0, objects: 0))),
                server: "https://photos.example",
                device: DeviceDescription(id: DeviceID(uuid: UUID()), name: "Laptop", platform: "linux"))
        }
        #expect(
            user(300).text.contains(
                "Stored: photos 200 B (3), thumbnails 30 B (3), previews 60 B (2), catalogs 10 B (1)\n"))
        #expect(!user(300).text.contains(" full"))
        #expect(user(960).text.contains("almost full"))
    }
}
