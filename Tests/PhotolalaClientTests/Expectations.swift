import ObjectStorage
import PhotolalaAPI
import PhotolalaClient
import Testing

/// Expects a `PhotolalaError` of a code.
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

/// For stores to which devices write by themselves.
let noReservedUploads: ReservedSender = { _, _ throws(ObjectStoreError) in throw .denied("nothing is reserved here") }
