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
