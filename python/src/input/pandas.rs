//! Columns of pandas, for which Arrow is not always available: a Series has its interface since pandas 3, and only with
//! pyarrow.

use pyo3::exceptions::PyImportError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use super::arrow::Texts;
use super::{Input, imported, list, not_one_column, not_text};
use crate::capsule;
use crate::output::Form;

/// Recognises a Series, an Index, or a data frame with one column. Returns `None` for other objects.
pub fn recognise<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Input<'py>>> {
    let Some(pandas) = imported(object.py(), "pandas")? else { return Ok(None) };
    let is_a = |class: &str| object.is_instance(&pandas.getattr(class)?);
    let column = if is_a("DataFrame")? {
        let names = object.getattr("columns")?.call_method1("map", (object.py().get_type::<PyString>(),))?;
        let names: Vec<String> = names.call_method0("tolist")?.extract()?;
        if names.len() != 1 {
            return Err(not_one_column(&names));
        }
        object.call_method1("squeeze", ("columns",))?
    } else if is_a("Series")? || is_a("Index")? {
        object.clone()
    } else {
        return Ok(None);
    };
    let dtype = column.getattr("dtype")?;
    if let Ok(kind) = dtype.getattr("kind")?.extract::<String>()
        && ["b", "c", "f", "i", "u"].contains(&&*kind)
    {
        let class = object.get_type().name()?;
        return Err(not_text(&format!("a pandas {class} of {dtype}")));
    }
    // Arrow has no type for mixed objects.
    if !dtype.eq("object")? && column.hasattr("__arrow_c_stream__")? {
        match capsule::import(&column) {
            Ok(arrays) => return Texts::new(&arrays.unwrap_or_default()).map(Input::Arrow).map(Some),
            Err(error) if error.is_instance_of::<PyImportError>(object.py()) => {}
            Err(error) => return Err(error),
        }
    }
    let items = column.call_method0("tolist")?.cast_into::<PyList>()?;
    let parsed = list::parse(items.iter())?;
    Ok(Some(Input::Objects(parsed, Form::Arrow)))
}
