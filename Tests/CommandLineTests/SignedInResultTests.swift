import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@testable import photolala

@Suite struct SignedInResultTests {
    private func result(kept: [LinkedProvider]?) throws -> SignedInResult {
        let (start, id) = (
            Date(timeIntervalSince1970: 1_800_000_000), UUID(uuidString: "00000000-0000-4000-8000-000000000001")
        )
        let uuid = try #require(id)
        let user = User(
            serviceUserID: UserID(uuid: uuid), primaryProvider: .google, linkedProviders: kept ?? [], createdAt: start,
            subscription: Subscription(tier: .free, storageLimit: 5_000_000_000))
        return SignedInResult(
            user: user, server: "https://photos.example",
            device: DeviceDescription(id: DeviceID(uuid: uuid), name: "phone", platform: "Linux"), isNewUser: false,
            keptProviders: kept)
    }

    private func link(_ provider: ProviderName) throws -> LinkedProvider {
        LinkedProvider(
            linkID: LinkID(uuid: try #require(UUID(uuidString: "00000000-0000-4000-8000-000000000002"))),
            provider: provider, email: nil, linkedAt: Date(timeIntervalSince1970: 1_700_000_000), lastUsedAt: nil,
            linkMethod: .userInitiated,
            isPrimary: true, state: .active)
    }

    @Test func `a sign-in that cancels an unlinking reports its provider`() throws {
        let result = try result(kept: [try link(.google)])
        #expect(
            result.text.split(separator: "\n").contains(
                "This sign-in cancelled the unlinking of google."))
        let json = try #require(
            try JSONSerialization.jsonObject(with: WireJSON.encoder().encode(result)) as? [String: Any])
        let kept = try #require(json["keptProviders"] as? [[String: Any]])
        #expect(kept.map { $0["provider"] as? String } == ["google"])
    }

    @Test func `a sign-in without a pending unlinking reports none`() throws {
        let result = try result(kept: nil)
        #expect(!result.text.contains("unlinking"))
        let json = try #require(
            try JSONSerialization.jsonObject(with: WireJSON.encoder().encode(result)) as? [String: Any])
        #expect(json["keptProviders"] == nil && json["user"] != nil)
    }
}
