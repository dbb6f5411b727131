extension Route where Body == UploadRequest, Answer == ReservedUpload {
    /// Reserves quota for one upload and returns its address.
    public static var reserveUpload: Self { Route(.post, "/uploads") }
}

extension Route where Body == UploadRequests, Answer == ReservedUploads {
    /// Reserves quota for several uploads and returns their addresses.
    public static var reserveUploads: Self { Route(.post, "/uploads/batch") }
}
