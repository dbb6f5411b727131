import Accounts
import Flows
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

/// The profile is its owner's own object, which other programs may write as well.
@Suite struct ProfileTests {
    private func write(_ text: String, _ service: TestService, _ user: UserID) async throws {
        _ = try await service.store.put(
            ObjectKey(known: StorageLayout.profile(user)), ByteBuffer(string: text), if: .always
        )
    }

    private func replace(
        _ service: TestService, _ bob: SignedIn, with name: String = "Robert", if condition: ProfileCondition
    ) async throws -> TaggedProfile {
        try await service.services.replaceProfile(
            bob.user.serviceUserID, with: Profile(displayName: name), if: condition,
            caller: try await service.caller(bob.session)
        )
    }

    @Test(
        "What is no profile is told, keeps nobody out, and is replaced only knowingly",
        arguments: ["", "{", "[]", #"{"displayName":7}"#, String(repeating: " ", count: 65 << 10)]
    )
    func unreadable(text: String) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", name: "Bob")
        let user = bob.user.serviceUserID
        try await write(text, service, user)
        let caller = try await service.caller(bob.session)
        await #expect(throws: FlowError.profileUnreadable) {
            try await service.services.profile(user, caller: caller)
        }
        #expect(try await service.services.user(user, caller: caller).displayName == nil)
        await #expect(throws: FlowError.profileUnreadable) { try await replace(service, bob, if: .any) }
        #expect(try await replace(service, bob, if: .exists).profile.displayName == "Robert")
        #expect(try await service.services.user(user, caller: caller).displayName == "Robert")
    }

    @Test("If-Match names one tag, several, or any")
    func conditions() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        await #expect(throws: FlowError.changedMeanwhile) { try await replace(service, bob, if: .exists) }
        let tag = try #require(try await replace(service, bob, if: .any).etag)
        for tags in [["x"], ["x", "y"], []] {
            await #expect(throws: FlowError.changedMeanwhile) {
                try await replace(service, bob, with: "Rob", if: .oneOf(tags))
            }
        }
        #expect(try await replace(service, bob, if: .oneOf(["x", tag])).etag == tag)
        #expect(try await replace(service, bob, with: "Rob", if: .oneOf([tag])).etag != tag)
    }
}
