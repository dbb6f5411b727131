import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Long photo lists") struct PhotoListingTests {
    @Test("a cancelled list stops before its end")
    func cancelled() async throws {
        let photo = try WireJSON.decoder().decode(
            LibraryPhoto.self,
            from: Data(#"{"path":"a","md5":"0","size":1,"modified":"2024-01-01T00:00:00Z","type":"image/jpeg"}"#.utf8)
        )
        let photos = repeatElement(photo, count: 10_000)
        let list = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try PhotoListing.write(photos)
        }
        let end = await list.result
        #expect(throws: CancellationError.self) { try end.get() }
    }
}
