extension Route where Body == EmptyBody, Answer == AccountExport {
    /// Creates an export of the account, which replaces an earlier one. Requires recent authentication.
    public static var createExport: Self { Route(.post, "/account/export") }
}

extension Route where Body == EmptyBody, Answer == CurrentExport {
    /// Returns the account's export.
    public static var currentExport: Self { Route(.get, "/account/export") }
}

extension Route where Body == EmptyBody, Answer == EmptyBody {
    /// Downloads an export. The answer is a ZIP archive; a byte range can be requested.
    public static var downloadExport: Self { Route(.get, "/account/export/{id}") }
}

extension Route where Body == EmptyBody, Answer == ExportFiles {
    /// Returns the account's files for an export that the device assembles. Requires recent authentication.
    public static var exportFiles: Self { Route(.post, "/account/export/files") }
}

extension Route where Body == ExportSignatureRequest, Answer == ExportSignature {
    /// Signs the manifest of an export that the device assembled.
    public static var signExport: Self { Route(.post, "/account/export/signature") }
}
