import ObjectStorage
import PhotolalaAPI
import PhotolalaTesting
import Sessions
import Testing
import UseCases

/// The instance that wrote a device record does not decode it when it reads it again.
@Suite struct WrittenDeviceTests {
    @Test("an instance reads a device record that it wrote as another instance decodes it")
    func sameRecord() async throws {
        let service = try await TestService.make()
        service.clock.advance(by: 0.7)
        let user = try await service.signUp(.apple, "bob").user.serviceUserID
        try await compare(service, user)
        let session = try await service.signIn(.apple, "bob").session
        try await compare(service, user)
        let next = try await service.services.sessions.refresh(RefreshRequest(refreshToken: session.refreshToken))
        try await compare(service, user)
        try await service.services.devices.recordSync(
            TestService.device(1).id, caller: try await service.caller(next.session))
        try await compare(service, user)
        try await service.services.deviceCleanup.cleanUpDevices()
        try await compare(service, user)
        try await service.services.sessions.signOut(accessToken: next.session.accessToken)
        try await compare(service, user)
    }

    private func compare(_ service: TestService, _ user: UserID) async throws {
        let id = TestService.device(1).id
        let others = DeviceDirectory(store: service.store, retry: RetryPolicy(attempts: 1, backoff: .none))
        let written = try #require(try await service.components.sessions.devices.device(id, of: user))
        let decoded = try #require(try await others.device(id, of: user))
        #expect(written.etag == decoded.etag)
        #expect(written.value == decoded.value)
        service.clock.advance(by: 100.3)
    }
}
