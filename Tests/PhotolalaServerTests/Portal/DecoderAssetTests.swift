import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import PhotolalaTesting
import Testing

/// The decoder of HEIC photos, as it is served.
@Suite struct DecoderAssetTests {
    @Test func `only the decoder's worker may compile WebAssembly`() async throws {
        try await TestService.make().exchange { http in
            let page = String(buffer: try await http.send(.get, "/sign-in").body)
            let folder = try #require(page.firstMatch(of: /href="(\/assets\/[0-9a-f]+)\/portal\.css"/)?.1)
            let module = try await http.send(.get, "\(folder)/heif.wasm")
            #expect(module.status == .ok && module.headers[.contentType] == "application/wasm")
            #expect(module.headers[.contentEncoding] == "gzip")
            #expect(module.body.readableBytesView.starts(with: [0x1f, 0x8b]))
            let worker = try await http.send(.get, "\(folder)/heif_worker.js").headers[.contentSecurityPolicy]
            #expect(worker == "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'")
            for script in ["photo_worker.js", "library.js"] {
                let policy = try await http.send(.get, "\(folder)/\(script)").headers[.contentSecurityPolicy]
                #expect(policy == "default-src 'none'; script-src 'self'", "\(script)")
            }
        }
    }
}
