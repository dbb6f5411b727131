import ObjectStorage
import PhotolalaAPI
import PhotolalaClient
import Testing

/// Expects a `PhotolalaError` with a code.
func expect(
    _ code: ErrorCode, sourceLocation: SourceLocation = #_sourceLocation, _ act: () async throws -> Void
) async {
    do {
        try await act()
        Issue.record("\(code) was expected", sourceLocation: sourceLocation)
    } catch {
        #expect((error as? PhotolalaError)?.code == code, "\(error)", sourceLocation: sourceLocation)
    }
}

/// Rejects all uploads, for stores to which devices write directly.
let noReservedUploads: ReservedSender = { _, _ throws(ObjectStoreError) in throw .denied("nothing is reserved here") }
