import NIOCore
import ObjectStorage
import PhotolalaAPI
import Testing

@testable import AccountMaintenance
@testable import Accounts

/// How keys and bindings of legacy layouts are interpreted.
@Suite struct LegacyKeyTests {
    private static let user = "a7f8d93e-5c2f-4b8a-9d6e-1a2b3c4d5e6f"
    private static let md5 = "0123456789abcdef0123456789abcdef"

    @Test(
        "a binding key names a provider by any of its names, and the subject unchanged",
        arguments: [
            ("identities/apple/001234.5678abcd.9012", "apple", "001234.5678abcd.9012"),
            ("identities/appleid/000062.4d7e", "apple", "000062.4d7e"), ("identities/googleid/1", "google", "1"),
            ("identities/fbid/77", "facebook", "77"), ("identities/google:77", "google", "77"),
            ("identities/appleid:x", "apple", "x"), ("identities/google:a/b:c", "google", "a/b:c"),
            ("identities/apple/a:b", "apple", "a:b"), ("identities/apple/1%2F2=20", "apple", "1%2F2=20"),
            ("identities/apple/..é", "apple", "..é"),
            ("identities/microsoft/\(md5)\(md5)", "microsoft", "\(md5)\(md5)"),
        ])
    func identities(key: String, provider: String, subject: String) throws {
        let place = LegacyIdentity.resolution(of: try #require(ObjectKey(key)))
        guard case .identity(let identity) = place else { return #expect(place == .unresolved(.keyUnknown)) }
        #expect(identity.provider.description == provider)
        #expect(identity.subject == subject)
        #expect(identity.keys.map(\.description).contains(key))
    }

    @Test(
        "other keys are not identity bindings",
        arguments: [
            ("identities/x", ImportFinding.Kind.keyUnknown), ("identities/Apple/x", .keyUnknown),
            ("identities/apple id/x", .keyUnknown), ("identities/:x", .keyUnknown), ("identities/google:", .keyUnknown),
            ("identities/apple%2F/x", .keyUnknown),
            ("identities/google:\(String(repeating: "x/", count: 128))x", .keyUnknown),
            ("identities/email/\(md5)\(md5)", .hintHashed), ("identities/email:a@b", .hintHashed),
            ("identities/appleid/\(md5)\(md5.uppercased())", .subjectHashed),
        ])
    func strangers(key: String, kind: ImportFinding.Kind) throws {
        #expect(LegacyIdentity.resolution(of: try #require(ObjectKey(key))) == .unresolved(kind))
    }

    @Test("a legacy binding is an account id in either case, with white space, comments, or as a JSON member")
    func claims() throws {
        let user = try #require(UserID(Self.user))
        for text in [
            Self.user, Self.user.uppercased(), "\n \(Self.user)\r\n", "# File: x\n\(Self.user)\n",
            #"{"serviceUserID":"\#(Self.user)","x":[]}"#,
        ] {
            #expect(LegacyBinding(ByteBuffer(string: text)) == .account(user), "\(text)")
        }
        let claim = IdentityBinding(user: user, link: LinkID(uuid: user.uuid))
        #expect(LegacyBinding(claim.bytes) == .current(claim))
        for text in [
            "", "# only", "a3f4d5e6-b7c8-9d0e-1f2g-3h4i5j6k7l8m", "\(Self.user)\n\(Self.user)", "{\(Self.user)}",
            "\"\(Self.user)\"", String(Self.user.dropLast()), "\(Self.user) x", #"{"serviceUserID":7}"#,
        ] {
            #expect(LegacyBinding(ByteBuffer(string: text)) == .unreadable, "\(text)")
        }
        #expect(LegacyBinding(ByteBuffer(bytes: [0xff, 0xfe, 0])) == .unreadable)
    }

    @Test(
        "a user's object belongs below its user and nowhere else",
        arguments: [
            ("metadata/{U}/{m}.plist", "users/{u}/metadata/{m}.plist"), ("metadata/{u}/a/b", "users/{u}/metadata/a/b"),
            ("thumbnails/{U}/{m}.dat", "thumbnails/{u}/{m}.jpg"), ("thumbnails/{u}/{M}.png", "thumbnails/{u}/{m}.jpg"),
            ("users/{u}/thumbnails/{m}_thumb.jpg", "thumbnails/{u}/{m}.jpg"),
            ("users/{U}/profile.json", "users/{u}/profile.json"), ("users/{U}/photos", "users/{u}/photos"),
            ("catalogs/{U}/.photolala.md5", "catalogs/{u}/.photolala.md5"),
            ("thumbnails/{U}/{u}/{m}.dat", "thumbnails/{u}/{u}/{m}.dat"),
        ])
    func files(older: String, newer: String) throws {
        let user = try #require(UserID(Self.user))
        let destination = try #require(ObjectKey(Self.fill(newer)))
        #expect(LegacyFile(try #require(ObjectKey(Self.fill(older)))) == .relocate(user, destination))
        #expect(LegacyFile(destination) == .inPlace(user))
    }

    @Test("photos are placed by their bytes, and keys that only resemble a user's are ignored")
    func lookalikes() throws {
        let user = try #require(UserID(Self.user))
        for key in ["photos/{u}/{m}.dat", "photos/{U}/x", "users/{u}/photos/a/b.jpg", "users/{U}/photos/.hidden"] {
            #expect(LegacyFile(try #require(ObjectKey(Self.fill(key)))) == .photo(user), "\(key)")
        }
        for key in ["photos/{u}", "photos/{u}x/y", "photos/%7Bu%7D/y", "users/{u} /x", "photos/ {u}/y"] {
            #expect(LegacyFile(try #require(ObjectKey(Self.fill(key)))) == .unknown, "\(key)")
        }
        for marker in ["photos/{u}/trip/", "users/{u}/photos/", "thumbnails/{U}/a/"] {
            let key = try #require(ObjectKey(Self.fill(marker), allowingFolderMarker: true))
            #expect(LegacyFile(key) == .unknown, "\(marker)")
        }
        #expect(ObjectKey(Self.fill("users/{u}/photos/../../x")) == nil)
    }

    private static func fill(_ text: String) -> String {
        text.replacing("{u}", with: user).replacing("{U}", with: user.uppercased()).replacing("{m}", with: md5)
            .replacing("{M}", with: md5.uppercased())
    }
}
