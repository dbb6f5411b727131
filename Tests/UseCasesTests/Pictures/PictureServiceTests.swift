import Accounts
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing

@testable import UseCases

/// The profile picture of an account, and its version in the account document.
@Suite struct PictureServiceTests {
    private static func bytes(_ seed: Int) -> ByteBuffer { ByteBuffer(bytes: PhotoBytes.picture(seed)) }

    private func replace(
        _ service: TestService, _ bob: SignedIn, by seed: Int, if condition: ProfileCondition = .any
    ) async throws -> String {
        try await service.services.account.replacePicture(
            bob.user.serviceUserID, with: Self.bytes(seed), if: condition, caller: try await service.caller(bob.session)
        )
    }

    private func expect(_ seed: Int?, _ service: TestService, _ bob: SignedIn) async throws {
        let caller = try await service.caller(bob.session)
        let account = service.services.account
        let version = seed.map { ProfilePictures.version(of: Self.bytes($0)) }
        #expect(account.pictureVersion(of: caller) == version)
        if seed == nil {
            await #expect(throws: ServiceError.notFound) { try await account.picture(caller.user, caller: caller) }
        } else {
            #expect(try await account.picture(caller.user, caller: caller).version == version)
        }
    }

    @Test func `a picture is replaced and removed, and every session sees it`() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        try await expect(nil, service, bob)
        let version = try await replace(service, bob, by: 1)
        #expect(version == ProfilePictures.version(of: Self.bytes(1)))
        let phone = try await service.signIn(.apple, "bob", device: 2)
        try await expect(1, service, phone)
        _ = try await replace(service, phone, by: 2)
        try await expect(2, service, bob)
        for _ in 1...2 {
            try await service.services.account.removePicture(
                bob.user.serviceUserID, if: .any, caller: try await service.caller(bob.session))
        }
        try await expect(nil, service, phone)
        #expect(try await service.store.head(ObjectKey(known: StorageLayout.picture(bob.user.serviceUserID))) == nil)
    }

    @Test func `a condition refers to the version of the stored picture`() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        for condition in [ProfileCondition.exists, .oneOf(["x"]), .oneOf([])] {
            await #expect(throws: ServiceError.preconditionFailed) {
                try await replace(service, bob, by: 1, if: condition)
            }
        }
        let first = try await replace(service, bob, by: 1)
        let second = try await replace(service, bob, by: 2, if: .oneOf(["x", first]))
        let caller = try await service.caller(bob.session)
        await #expect(throws: ServiceError.preconditionFailed) {
            try await service.services.account.removePicture(caller.user, if: .oneOf([first]), caller: caller)
        }
        try await expect(2, service, bob)
        try await service.services.account.removePicture(caller.user, if: .oneOf([second]), caller: caller)
        try await expect(nil, service, bob)
    }

    @Test func `another account's picture is not found, and what is no picture changes nothing`() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        let eve = try await service.caller(try await service.signUp(.google, "eve", device: 2).session)
        _ = try await replace(service, bob, by: 1)
        let (user, account) = (bob.user.serviceUserID, service.services.account)
        await #expect(throws: ServiceError.notFound) { try await account.picture(user, caller: eve) }
        await #expect(throws: ServiceError.notFound) {
            try await account.replacePicture(user, with: Self.bytes(2), if: .any, caller: eve)
        }
        await #expect(throws: ServiceError.notFound) { try await account.removePicture(user, if: .any, caller: eve) }
        let caller = try await service.caller(bob.session)
        await #expect(throws: ServiceError.invalidRequest(ProfilePicture.Refusal.otherFormat.explanation)) {
            try await account.replacePicture(user, with: ByteBuffer(string: "<svg/>"), if: .any, caller: caller)
        }
        try await expect(1, service, bob)
    }

    @Test func `simultaneous changes leave the version of the stored picture`() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob")
        await withTaskGroup { group in
            for seed in 1...4 { group.addTask { _ = try? await replace(service, bob, by: seed) } }
        }
        let caller = try await service.caller(bob.session)
        let stored = try await service.services.account.picture(caller.user, caller: caller)
        #expect(service.services.account.pictureVersion(of: caller) == stored.version)
    }

    @Test func `a change that was interrupted anywhere takes effect when it is repeated`() async throws {
        for call in 0..<16 {
            let clock = TestClock()
            let memory = MemoryObjectStore { clock.now }
            let store = FaultyObjectStore(memory)
            let stopping = try await TestService.make(store: store)
            let bob = try await stopping.signUp(.apple, "bob")
            _ = try await replace(stopping, bob, by: 1)
            store.arm(call.isMultiple(of: 2) ? .stopBefore : .stopAfter, at: call / 2)
            _ = try? await replace(stopping, bob, by: 2)
            let service = try await TestService.make(store: memory)
            let again = try await service.signIn(.apple, "bob", device: 2)
            _ = try await replace(service, again, by: 2)
            try await expect(2, service, again)
        }
    }

    @Test func `an account that is being deleted shows its picture and accepts no other one`() async throws {
        let fixture = try await DeletionFixture()
        _ = try await replace(fixture.service, fixture.bob, by: 1, if: .any)
        try await fixture.schedule()
        let back = try await fixture.service.signIn(.apple, DeletionFixture.subject)
        await #expect(throws: ServiceError.storageReadOnly) { try await replace(fixture.service, back, by: 2) }
        try await expect(1, fixture.service, back)
        try await fixture.eraseCompletely()
        #expect(try await fixture.memory.head(ObjectKey(known: StorageLayout.picture(fixture.user))) == nil)
    }
}
