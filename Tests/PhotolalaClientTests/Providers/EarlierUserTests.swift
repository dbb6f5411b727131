import Foundation
import PhotolalaAPI
import PhotolalaClient
import PhotolalaTesting
import Testing

/// People who used a version of the app without accounts on a server.
@Suite struct EarlierUserTests {
    private static let id = "\(ClientFixture.user)"

    @Test(arguments: [
        #"{"serviceUserID": "ID", "primaryProvider": "apple", "primaryProviderID": "001.apple", "linkedProviders": []}"#,
        #"{"serviceUserID": "ID", "provider": "apple", "providerID": "001.apple", "createdAt": 770000000.5}"#,
    ])
    func `a stored user is read in both forms`(json: String) throws {
        for id in [Self.id, Self.id.uppercased()] {
            let user = try EarlierUser(
                photolalaUser: Data(json.replacing("\"ID\"", with: "\"\(id)\"").utf8))
            #expect(user.userID == ClientFixture.user && user.provider == .apple && user.subject == "001.apple")
        }
    }

    @Test func `a mapping of a provider is read`() throws {
        let user = try EarlierUser(mapping: "provider_mapping:google:1234:5", to: Self.id)
        #expect(user.userID == ClientFixture.user && user.provider == .google && user.subject == "1234:5")
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"serviceUserID": "bob", "primaryProvider": "apple", "primaryProviderID": "1"}"#,
        #"{"serviceUserID": "\#(ClientFixture.user)", "primaryProvider": "Apple!", "primaryProviderID": "1"}"#,
        #"{"serviceUserID": "\#(ClientFixture.user)", "primaryProvider": "apple", "primaryProviderID": ""}"#,
        #"{"serviceUserID": "\#(ClientFixture.user)", "primaryProvider": "apple"}"#,
        #"{"serviceUserID": "\#(ClientFixture.user)", "x": "\#(String(repeating: "x", count: 65_536))"}"#,
    ])
    func `anything else is an error`(json: String) async {
        await expect(.localStateUnusable) { _ = try EarlierUser(photolalaUser: Data(json.utf8)) }
    }

    @Test(arguments: ["provider_mapping:apple", "mapping:apple:1", "provider_mapping:apple:", "provider_mapping::1"])
    func `any other item is an error`(key: String) async {
        await expect(.localStateUnusable) { _ = try EarlierUser(mapping: key, to: Self.id) }
        await expect(.localStateUnusable) { _ = try EarlierUser(mapping: "provider_mapping:apple:1", to: "bob") }
    }

    @Test func `one authentication signs the user in`() async throws {
        try await Self.with([ClientFixture.signedInAnswer()]) { fixture, earlier in
            let user = try await fixture.session().signIn(earlier, with: FakeProvider()).serviceUserID
            let stored = try await fixture.session().signedInUserID()
            #expect(user == earlier.userID && stored == earlier.userID)
        }
    }

    @Test func `an identity of another account is signed out again`() async throws {
        let other = UserID(uuid: UUID())
        try await Self.with([ClientFixture.signedInAnswer(user: other)]) { fixture, earlier in
            await expect(.anotherAccount) { try await fixture.session().signIn(earlier, with: FakeProvider()) }
            let user = try await fixture.session().signedInUserID()
            #expect(user == nil && fixture.server.requests("/auth/signout").count == 1)
        }
    }

    @Test func `preferences that were set before do not go to another account`() async throws {
        try await Self.with([ClientFixture.signedInAnswer(user: UserID(uuid: UUID()))]) { fixture, earlier in
            let session = try fixture.session()
            let preferences = PhotolalaPreferences(session: session, profile: try ProfileDirectory(fixture.folder))
            try await preferences.set("autoBackup", to: .bool(true))
            await expect(.anotherAccount) { try await session.signIn(earlier, with: FakeProvider()) }
            let value = try await preferences.value(of: "autoBackup")
            #expect(value == .bool(true))
        }
    }

    @Test func `another account that is signed in stays`() async throws {
        try await Self.with([ClientFixture.signedInAnswer()]) { fixture, _ in
            let session = try await fixture.signedIn()
            let earlier = try EarlierUser(mapping: "provider_mapping:apple:1", to: "\(UserID(uuid: UUID()))")
            await expect(.anotherAccount) { try await session.signIn(earlier, with: FakeProvider()) }
            await expect(.invalidRequest) { try await session.signIn(earlier, with: FakeProvider(.google)) }
            let user = try await session.signedInUserID()
            #expect(user == ClientFixture.user)
            #expect(fixture.server.requests("/auth/signin").count == 1)
        }
    }

    private static func with(
        _ answers: [FakeServer.Response], _ test: (ClientFixture, EarlierUser) async throws -> Void
    ) async throws {
        try await ClientFixture.with([
            "POST /auth/challenge": [FakeServer.json(Challenge(challenge: "c", expiresAt: ClientFixture.start))],
            "POST /auth/signin": answers, "POST /auth/signout": [FakeServer.nothing],
        ]) { try await test($0, try EarlierUser(mapping: "provider_mapping:apple:001.apple", to: id)) }
    }
}
