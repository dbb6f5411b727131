// The public API has types of this module, so an app imports only `PhotolalaClient`.
@_exported import PhotolalaAPI
