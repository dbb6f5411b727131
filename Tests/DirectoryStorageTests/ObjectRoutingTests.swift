import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import Testing

@testable import DirectoryStorage

@Suite("Object routing")
struct ObjectRoutingTests {
    private let user = "0b5e7b6c-32f4-4a52-9a43-0c5f2a3b4c5d"

    @Test(
        "object types that are always small are stored in the database",
        arguments: [
            "identities/apple/x", "accounts/u/account.json", "accounts/u/devices/d.json", "service/store.json",
            "service/spent/17/x", "service/uploadsx", "catalogs/u/.photolala.md5", "users/u/profile.json",
            "photos/u/trip/", "service/exportsx", "service/uploads/u/", "users/u/a/",
        ])
    func rows(_ key: String) { #expect(ObjectRouting(ObjectKey(known: key)) == .row) }

    @Test(
        "all other objects are stored as files",
        arguments: [
            "photos/u/0.dat", "thumbnails/u/0.jpg", "catalogs/u/.photolala.0.csv", "catalogs/u/x/.photolala.md5",
            "users/u/x",
            "users/u/a/profile.json", "users/profile.json", "service/uploads/u/1", "identitiesx/y", "x",
        ])
    func files(_ key: String) { #expect(ObjectRouting(ObjectKey(known: key)) == .file) }

    @Test("keys from the storage layout are routed to the intended place")
    func layout() {
        guard let user = UserID(user) else { return #expect(Bool(false), "a user id") }
        for key in [
            StorageLayout.catalogPointer(user), StorageLayout.profile(user), StorageLayout.accountDocument(user),
        ] {
            #expect(ObjectRouting(ObjectKey(known: key)) == .row)
        }
        let snapshot = StorageLayout.catalogSnapshot(user, md5: "0")
        for key in [StorageLayout.photo(user, md5: "0"), snapshot, StorageLayout.uploads + "x", StorageLayout.exports + "u/1/head"] {
            #expect(ObjectRouting(ObjectKey(known: key)) == .file)
        }
    }
}

@Suite("Key ranges of listings")
struct KeyRangeTests {
    @Test(
        "the bounds are correct for every prefix",
        arguments: [
            ("", nil, [0x00], [0xff]), ("a", nil, [0x61], [0x62]), ("a/", "a", [0x61, 0x2f], [0x61, 0x30]),
            ("a", "ab", [0x61, 0x62, 0], [0x62]),
            ("\u{10ffff}", nil, [0xf4, 0x8f, 0xbf, 0xbf], [0xf4, 0x8f, 0xbf, 0xc0]),
            ("a", "z", [0x7a, 0], [0x62]), ("", "é", [0xc3, 0xa9, 0], [0xff]),
        ] as [(String, String?, [UInt8], [UInt8])])
    func bounds(_ prefix: String, _ after: String?, _ lower: [UInt8], _ upper: [UInt8]) {
        let range = KeyRange(prefix: prefix, after: after)
        #expect(range.lower == Data(lower))
        #expect(range.upper == Data(upper))
    }
}

@Suite("Stored attributes")
struct AttributeCodingTests {
    @Test(
        "attributes are unchanged after encoding and decoding",
        arguments: [
            ["a": "b"], ["content-type": "image/jpeg", "x-amz-meta-ü": "日本\n\0", "": ""], [:],
        ])
    func roundTrip(_ attributes: ObjectAttributes) {
        let decoded = AttributeCoding.encode(attributes).map(AttributeCoding.decode) ?? [:]
        #expect(decoded == attributes)
    }

    @Test(
        "malformed attributes are rejected",
        arguments: [
            [1], [0, 0, 0, 9, 65], [0, 0, 0, 1, 65], [0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0],
        ] as [[UInt8]])
    func broken(_ bytes: [UInt8]) { #expect(AttributeCoding.decode(ByteBuffer(bytes: bytes)) == nil) }
}
