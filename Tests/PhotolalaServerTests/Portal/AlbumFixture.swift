import PhotolalaTesting

/// A library of three photos, for tests of albums.
enum AlbumFixture {
    static func md5(_ index: Int) -> String { String(repeating: "\(index + 1)", count: 32) }

    /// Runs a test with the photos 0, 1 and 2, of three years.
    static func with(_ test: @Sendable (_ bob: inout PortalVisitor) async throws -> Void) async throws {
        let service = try await TestService.make()
        try await service.exchange { http in
            var bob = PortalVisitor(http)
            try await bob.signUp(service, as: "bob")
            let rows = (0..<3).map {
                "\($0).jpg,\(md5($0)),5,2024-01-02T03:04:05Z,201\($0)-05-17T10:00:00Z,image/jpeg\n"
            }
            try await LibraryPagesTests.putCatalog(
                "path,md5,size,modified,taken,type\n\(rows.joined())", try await LibraryPagesTests.user(service),
                service)
            try await test(&bob)
        }
    }
}
