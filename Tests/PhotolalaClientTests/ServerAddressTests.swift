import PhotolalaAPI
import PhotolalaClient
import Testing

@Suite("Server addresses") struct ServerAddressTests {
    @Test(
        "an address is normalized",
        arguments: [
            ("https://Photos.Example/", "https://photos.example"),
            ("https://photos.example:8443/base//", "https://photos.example:8443/base"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://127.8.9.1", "http://127.8.9.1"),
            ("http://localhost:1", "http://localhost:1"), ("http://[::1]:8080", "http://[::1]:8080"),
        ]
    )
    func accepted(_ text: String, _ spelled: String) throws {
        #expect(try ServerAddress(text).description == spelled)
    }

    @Test(
        "malformed addresses and plain http to another machine are rejected",
        arguments: [
            "http://photos.example", "http://10.0.0.1", "http://127.0.0.1.evil.example", "http://127.evil.example",
            "http://localhost.evil.example", "http://127.0.0.1@evil.example", "https://bob:pw@photos.example",
            "https://photos.example/?a", "https://photos.example/#a", "ftp://photos.example", "photos.example", "",
            "https://", "http://127.0.0.256", "https://photos.example:65536", "https://photos.example:0",
        ]
    )
    func refused(_ text: String) async {
        await expect(.unusableAddress) { _ = try ServerAddress(text) }
    }

    @Test("plain http to another machine as photo store is accepted only for a server reached the same way")
    func photoStore() async throws {
        let (here, elsewhere) = ("http://127.0.0.1:1", "http://10.0.0.1")
        for server in ["http://localhost:8080", "http://[::1]:8080", "https://photos.example"] {
            let server = try ServerAddress(server)
            #expect(try server.checkedPhotoStore(here).description == here)
            #expect(try server.checkedPhotoStore("https://s3.example").description == "https://s3.example")
            await expect(.unusableAddress) { _ = try server.checkedPhotoStore(elsewhere) }
        }
        let insisted = try ServerAddress("http://10.0.0.2", allowsPlainHTTP: true)
        #expect(try insisted.checkedPhotoStore(elsewhere).description == elsewhere)
        let secure = try ServerAddress("https://photos.example", allowsPlainHTTP: true)
        await expect(.unusableAddress) { _ = try secure.checkedPhotoStore(elsewhere) }
    }

    @Test("plain http is accepted if it is explicitly allowed")
    func insisted() throws {
        #expect(try ServerAddress("http://10.0.0.1:80", allowsPlainHTTP: true).description == "http://10.0.0.1:80")
    }
}
