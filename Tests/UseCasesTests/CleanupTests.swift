import Foundation
import NIOCore
import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Testing
import UseCases

/// The service's own jobs over all accounts.
@Suite struct CleanupTests {
    private func devices(_ service: TestService, _ user: UserID) async throws -> Int {
        try await service.store.list(prefix: StorageLayout.devices(user), after: nil, limit: 10).objects.count
    }

    @Test("a device is removed after 90 days without a session, and not before")
    func forgottenDevices() async throws {
        let service = try await TestService.make()
        let bob = try await service.signUp(.apple, "bob", device: 1)
        let user = bob.user.serviceUserID
        service.clock.advance(by: 60 * 86_400)
        _ = try await service.signIn(.apple, "bob", device: 2)
        try await service.services.deviceCleanup.cleanUpDevices()
        #expect(try await devices(service, user) == 2)
        service.clock.advance(by: 59 * 86_400)
        try await service.services.deviceCleanup.cleanUpDevices()
        #expect(try await devices(service, user) == 2)
        service.clock.advance(by: 2 * 86_400)
        try await service.services.deviceCleanup.cleanUpDevices()
        #expect(try await devices(service, user) == 1)
    }

    @Test("an account that cannot be counted does not block the count of others")
    func oneBadAccount() async throws {
        let service = try await TestService.make()
        var users: [UserID] = []
        for number in 1...3 {
            users.append(try await service.signUp(.apple, "\(number)", device: number).user.serviceUserID)
        }
        let sorted = users.sorted { $0.description < $1.description }
        for user in sorted { try await write("photos/\(user)/a.dat", "12345", service) }
        try await write(StorageLayout.accountDocument(sorted[1]), "{", service)
        try await service.services.usageCount.countUsage()
        #expect(try await service.components.usage.last(of: sorted[0])?.bytes == 5)
        #expect(try await service.components.usage.last(of: sorted[1]) == nil)
        #expect(try await service.components.usage.last(of: sorted[2])?.bytes == 5)
    }

    @Test("a damaged account does not block the removal of other accounts' devices")
    func oneDamagedAccount() async throws {
        let service = try await TestService.make()
        var users: [UserID] = []
        for number in 1...20 {
            users.append(try await service.signUp(.apple, "\(number)", device: number).user.serviceUserID)
        }
        try await write(StorageLayout.accountDocument(users[7]), "{", service)
        service.clock.advance(by: 121 * 86_400)
        try await service.services.deviceCleanup.cleanUpDevices()
        for user in users { #expect(try await devices(service, user) == (user == users[7] ? 1 : 0)) }
    }

    @Test("an account without objects gets no usage count, so that a lost sign-up race leaves no object")
    func nothingStored() async throws {
        let service = try await TestService.make()
        let user = try await service.signUp(.apple, "bob").user.serviceUserID
        try await service.services.usageCount.countUsage()
        #expect(try await service.components.usage.last(of: user) == nil)
        let photo = StorageLayout.photo(user, md5: String(repeating: "0", count: 32))
        try await write(photo, "12345", service)
        try await service.services.usageCount.countUsage()
        #expect(try await service.components.usage.last(of: user)?.bytes == 5)
        try await service.store.delete(ObjectKey(known: photo), if: .always)
        try await service.services.usageCount.countUsage()
        #expect(try await service.components.usage.last(of: user)?.bytes == 0)
    }

    private func write(_ key: String, _ text: String, _ service: TestService) async throws {
        _ = try await service.store.put(ObjectKey(known: key), ByteBuffer(string: text), if: .always)
    }
}
