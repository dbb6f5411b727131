import Accounts
import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The profile is its owner's object, which other programs may write as well.
@Suite struct ProfileTests {
    private func write(_ text: String, _ service: TestService, _ user: UserID) async throws {
        _ = try await service.store.put(
            ObjectKey(known: StorageLayout.profile(user)), ByteBuffer(string: text), if: .always
        )
    }

    private func replace(
        _ service: TestService, _ bob: SignedIn, with name: String = "Robert", if condition: ProfileCondition
    ) async throws -> TaggedProfile {
        try await service.services.account.replaceProfile(
            bob.user.serviceUserID, with: Profile(displayName: name), if: condition,
            caller: try await service.caller(bob.session)
        )
    }

    @Test(
        "a malformed profile is reported, does not block sign-in and is replaced only explicitly",
        arguments: [
            "", "{", "[]", #"{"displayName":7}"#, String(repeating: " ", count: 65 << 10),
            #"{"picture":"javascript:alert(1)"}"#, #"{"displayName":"\#(String(repeating: "x", count: 201))"}"#,
        ]
    )
    func unreadable(text: String) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", name: "Bob")
        let user = bob.user.serviceUserID
        try await write(text, service, user)
        let caller = try await service.caller(bob.session)
        await #expect(throws: ServiceError.profileUnreadable) {
            try await service.services.account.profile(user, caller: caller)
        }
        #expect(try await service.services.account.user(user, caller: caller).displayName == nil)
        await #expect(throws: ServiceError.profileUnreadable) { try await replace(service, bob, if: .any) }
        #expect(try await replace(service, bob, if: .exists).profile.displayName == "Robert")
        #expect(try await service.services.account.user(user, caller: caller).displayName == "Robert")
    }

    @Test(
        "a picture must be an https URL or one of the user's own keys",
        arguments: [
            ("https://example.com/bob.jpg", true), ("users/{user}/me.jpg", true), ("http://example.com/bob.jpg", false),
            ("javascript:alert(1)", false), ("https:///bob.jpg", false), ("https://bob:secret@example.com/", false),
            ("photos/{user}/x.dat", false), ("users/{other}/me.jpg", false), ("users/{user}/../x", false), ("", false),
            ("data:image/png;base64,AA", false), ("//example.com/x", false), ("https://example.com/\n", false),
        ])
    func picture(text: String, isGood: Bool) async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        let picture = text.replacingOccurrences(of: "{user}", with: bob.user.serviceUserID.description)
            .replacingOccurrences(of: "{other}", with: TestService.device(1).id.description)
        let caller = try await service.caller(bob.session)
        do {
            let stored = try await service.services.account.replaceProfile(
                bob.user.serviceUserID, with: Profile(picture: picture), if: .any, caller: caller
            )
            #expect(isGood && stored.profile.picture == picture)
        } catch ServiceError.invalidRequest {
            #expect(!isGood)
        }
    }

    @Test("If-Match accepts one tag, several tags or any")
    func conditions() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        await #expect(throws: ServiceError.preconditionFailed) { try await replace(service, bob, if: .exists) }
        let tag = try await replace(service, bob, if: .any).etag
        for tags in [["x"], ["x", "y"], []] {
            await #expect(throws: ServiceError.preconditionFailed) {
                try await replace(service, bob, with: "Rob", if: .oneOf(tags))
            }
        }
        #expect(try await replace(service, bob, if: .oneOf(["x", tag])).etag == tag)
        #expect(try await replace(service, bob, with: "Rob", if: .oneOf([tag])).etag != tag)
    }

    @Test("the name of the first authorization exists with every account, wherever the sign-up stopped")
    func nameOutlivesFailure() async throws {
        var accounts = 0
        for call in 0..<20 {
            let clock = TestClock()
            let memory = MemoryObjectStore { clock.now }
            let store = FaultyObjectStore(memory)
            let stopping = try await TestService.make(store: store)
            store.arm(call.isMultiple(of: 2) ? .stopBefore : .stopAfter, at: call / 2)
            _ = try? await stopping.signUp(.apple, "bob", name: "Bob")
            // The process is gone; another one continues.
            let service = try await TestService.make(store: memory)
            guard let owner = try await service.owner(.apple, "bob") else { continue }
            accounts += 1
            let bob = try await service.signIn(.apple, "bob", device: 2)
            #expect(bob.user.serviceUserID == owner)
            let caller = try await service.caller(bob.session)
            #expect(
                try await service.services.account.user(caller.user, caller: caller).displayName == "Bob", "\(call)")
            let profile = try await service.services.account.profile(caller.user, caller: caller)
            #expect(profile.profile == Profile(displayName: "Bob"))
        }
        // If the sign-up stopped before the identity binding, there is no account to open.
        #expect((1..<20).contains(accounts))
    }

    @Test("a written profile takes precedence, even without a name, and names are sealed in the store")
    func writtenProfileCounts() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", name: "Robert Q. Unusual")
        let caller = try await service.caller(bob.session)
        for object in try await service.store.list(prefix: "", after: nil, limit: 1000).objects {
            let stored = try #require(try await service.store.get(object.key))
            #expect(!String(buffer: stored.bytes).contains("Unusual"))
        }
        _ = try await service.services.account.replaceProfile(
            caller.user, with: Profile(picture: "https://a.example/b.jpg"), if: .any, caller: caller)
        #expect(try await service.services.account.user(caller.user, caller: caller).displayName == nil)
    }
}
